import { Clock, CornerDownRight, Image, MessageSquare } from 'lucide-react'

/** The icons in the HTML of threads, which refers to them by name (`iconHtml` in `cardHtml.ts`). */
const ICONS = { latest: CornerDownRight, comments: MessageSquare, active: Clock, images: Image }

/** Defines the icons once for all threads of a list. */
export const CardIcons = () => (
  <svg className="visually-hidden" aria-hidden="true">
    {Object.entries(ICONS).map(([name, Icon]) => (
      <symbol key={name} id={`i-${name}`} viewBox="0 0 24 24">
        <Icon strokeWidth="inherit" />
      </symbol>
    ))}
  </svg>
)
