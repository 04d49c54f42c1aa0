import { hueOf } from '#src/lib/hueOf.ts'
import './nick.css'

/** `server/features/board/html` writes the same element for posts. */
export function Nick({ name }: { name: string }) {
  return (
    <bdi className="nick" translate="no" data-hue={name === 'Anonymous' ? undefined : hueOf(name)}>
      {name}
    </bdi>
  )
}
