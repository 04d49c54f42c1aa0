import { createElement, type SVGProps } from 'react'

/** An icon of the set as it is drawn: elements on a field of 24 by 24. */
type Drawing = { node: [tag: string, attributes: Record<string, string>][] }

const FRAME = {
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

/**
 * Makes a component of a drawing. It stands in for the icon set's own in what is built: that one weighs what can be
 * asked of an icon anew each time it is rendered, and here nobody asks for anything.
 */
export default function createIcon({ node }: Drawing) {
  const strokes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return (props: SVGProps<SVGSVGElement>) => createElement('svg', { ...FRAME, ...props }, strokes)
}
