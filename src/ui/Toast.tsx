import { useSyncExternalStore } from 'react'
import styles from './Toast.module.css'

const SHOWN_MS = 4000

type Message = { id: number; text: string }

const none: Message[] = []
let messages = none
let lastId = 0
const listeners = new Set<() => void>()

function set(next: Message[]) {
  messages = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function toast(text: string) {
  lastId += 1
  const id = lastId
  set([...messages.filter((message) => message.text !== text), { id, text }])
  setTimeout(() => set(messages.filter((message) => message.id !== id)), SHOWN_MS)
}

export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => messages,
    () => none,
  )
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {shown.map((message) => (
        <p key={message.id} className={styles.toast}>
          {message.text}
        </p>
      ))}
    </div>
  )
}
