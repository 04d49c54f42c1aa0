import { ShieldAlert } from 'lucide-react'
import styles from './ShareWarning.module.css'

export function ShareWarning() {
  return (
    <div className={styles.warning} role="note" aria-label="Warning">
      <ShieldAlert className="icon" />
      <ul>
        <li>
          <strong>This is a public service.</strong> Anyone with the link can see the image.
        </li>
        <li>We accept no liability. You are responsible for what you upload.</li>
        <li>Follow your local laws. Do not upload anything illegal.</li>
        <li>Images are deleted automatically when they expire.</li>
      </ul>
    </div>
  )
}
