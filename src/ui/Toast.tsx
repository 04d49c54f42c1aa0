import { createStore } from '#src/lib/store.ts'
import styles from './Toast.module.css'

const VISIBLE_MS = 4000

const toasts = createStore<{ id: number; text: string }[]>([])
let lastId = 0

export function toast(text: string) {
  const id = ++lastId
  toasts.set([...toasts.get().filter((other) => other.text !== text), { id, text }])
  setTimeout(() => toasts.set(toasts.get().filter((other) => other.id !== id)), VISIBLE_MS)
}

export function Toaster() {
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toasts.useValue().map(({ id, text }) => (
        <p key={id} className={`pop ${styles.toast}`}>
          {text}
        </p>
      ))}
    </div>
  )
}
