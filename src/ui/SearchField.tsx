import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'
import { TextInput } from './Field.tsx'
import styles from './SearchField.module.css'

/** Renders a search field with its icon, and with a button that empties it. */
export function SearchField(props: Omit<ComponentProps<typeof TextInput>, 'type' | 'className'>) {
  return (
    <div className={styles.search}>
      <Search className="icon" />
      <TextInput {...props} type="search" className={styles.input} />
    </div>
  )
}
