import { t } from '#src/i18n/t.ts'
import { Scripted } from '#src/ui/Scripted.tsx'
import styles from './DensitySwitch.module.css'

/** Sets how densely lists of posts and threads are set. pages/early.js handles the clicks, and remembers the choice. */
export const DensitySwitch = () => (
  <Scripted>
    <span className={`hint ${styles.switch}`}>
      {[t('board.comfortable'), t('board.compact')].map((label, isCompact) => (
        <button key={label} type="button" data-density-choice={isCompact ? 'compact' : ''}>
          {label}
        </button>
      ))}
    </span>
  </Scripted>
)
