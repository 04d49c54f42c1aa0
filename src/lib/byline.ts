import type { PostView } from '#src/contract/post.ts'
import { t } from '#src/i18n/t.ts'
import { hueOf } from './hueOf.ts'

type Signed = { [Name in 'tripcode' | 'capcode' | 'posterLabel' | 'sage']?: PostView[Name] | null }

/** `kind` is a CSS class. `hue` colours the mark. */
type BylineMark = { kind: 'trip' | 'capcode' | 'data'; text: string; hue?: number }

/** Returns what stands behind the name of an author: all other fields that say who wrote a post, and how. */
export function bylineMarks({ tripcode, capcode, posterLabel, sage }: Signed): BylineMark[] {
  const marks: (BylineMark | false | '' | null | undefined)[] = [
    tripcode && { kind: 'trip', text: tripcode },
    capcode && { kind: 'capcode', text: capcode === 'admin' ? t('board.capcodeAdmin') : t('board.capcodeMod') },
    posterLabel && { kind: 'trip', text: t('board.posterId', { id: posterLabel }), hue: hueOf(posterLabel) },
    sage && { kind: 'data', text: t('board.sage') },
  ]
  return marks.filter((mark) => !!mark)
}
