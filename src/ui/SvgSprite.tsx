import type { LucideIcon } from 'lucide-react'

const idOf = (name: string) => `i-${name}`

/** Defines icons once for a page that shows them hundreds of times. */
export function SvgSprite({ icons }: { icons: Record<string, LucideIcon> }) {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          {/* `SpriteIcon` sets the width of the line */}
          <Icon strokeWidth="inherit" />
        </symbol>
      ))}
    </svg>
  )
}

/** Shows a small icon of the page's `SvgSprite`. */
export function SpriteIcon({ name }: { name: string }) {
  return (
    <svg className="icon icon-s" aria-hidden="true">
      <use href={`#${idOf(name)}`} />
    </svg>
  )
}
