import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Apart } from './Apart.tsx'
import styles from './Tag.module.css'

type TagProps = { icon?: LucideIcon; href?: string; children: ReactNode }

export function Tag({ icon: Icon, href, children }: TagProps) {
  const content = (
    <>
      {Icon && <Icon className="icon icon-s" />}
      {children}
    </>
  )
  return (
    <Apart>
      {href ? (
        <a className={styles.tag} href={href}>
          {content}
        </a>
      ) : (
        <span className={styles.tag}>{content}</span>
      )}
    </Apart>
  )
}
