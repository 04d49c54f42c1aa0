import { ShieldAlert } from 'lucide-react'
import styles from './ShareWarning.module.css'

export function ShareWarning() {
  return (
    <div className={styles.warning} role="note" aria-label="Warning">
      <ShieldAlert className="icon" />
      <ul>
        <li>
          <strong>This is a public service.</strong> Everybody who has the link can see the image.
        </li>
        <li>We accept no liability for what is uploaded. The one who uploads it is responsible for it.</li>
        <li>Follow your local laws. Do not upload anything that is illegal where you are.</li>
        <li>Images are deleted automatically when their time is up.</li>
      </ul>
    </div>
  )
}
