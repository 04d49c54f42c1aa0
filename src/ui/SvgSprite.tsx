import type { LucideIcon } from 'lucide-react'

/** Defines the icons that the HTML of threads in lists refers to (`iconHtml` in `cardHtml.ts`). */
export function SvgSprite({ icons }: { icons: Record<string, LucideIcon> }) {
  return (
    <svg className="visually-hidden" aria-hidden="true">
      {Object.entries(icons).map(([name, Icon]) => (
        <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
          <Icon strokeWidth="inherit" />
        </symbol>
      ))}
    </svg>
  )
}
