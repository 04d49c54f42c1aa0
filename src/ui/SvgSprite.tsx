import { type LucideIcon, Reply } from 'lucide-react'

/** For pages with `CommentButton`. */
export const replyIcon = { reply: Reply }

const idOf = (name: string) => `i-${name}`

/** Defines icons once, for pages that show `SpriteIcon` hundreds of times. */
export function SvgSprite({ icons }: { icons: Record<string, LucideIcon> }) {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          <Icon strokeWidth="inherit" />
        </symbol>
      ))}
    </svg>
  )
}

export function SpriteIcon({ name }: { name: string }) {
  return (
    <svg className="icon icon-s" aria-hidden="true">
      <use href={`#${idOf(name)}`} />
    </svg>
  )
}
