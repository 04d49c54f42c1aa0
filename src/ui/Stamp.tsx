import type { LucideIcon } from 'lucide-react'

const idOf = (name: string) => `i-${name}`

/** Draws icons once, unseen, for a page that shows them hundreds of times. */
export function StampSheet({ icons }: { icons: Record<string, LucideIcon> }) {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
          {/* as wide a line as where it is shown */}
          <Icon strokeWidth="inherit" />
        </symbol>
      ))}
    </svg>
  )
}

/** A small icon of the sheet, by its name there. */
export function Stamp({ name }: { name: string }) {
  return (
    <svg className="icon icon-s" aria-hidden="true">
      <use href={`#${idOf(name)}`} />
    </svg>
  )
}
