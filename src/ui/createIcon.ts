import { type ComponentProps, createElement } from 'react'

/** An icon of lucide-react: its shapes as tags with attributes. */
type IconData = { node: [tag: string, attributes: Record<string, string>][] }

const ATTRIBUTES = {
  ...{ width: 24, height: 24, viewBox: '0 0 24 24', 'aria-hidden': true },
  ...{ fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' },
} as const

/**
 * Creates the component of an icon. The build replaces the function of lucide-react by this one (`vite.config.ts`): a page
 * has fifty icons, and React would render and hydrate each of their shapes.
 */
export default function createIcon({ node }: IconData) {
  const inner = { __html: node.map(([tag, attributes]) => shapeHtml(tag, attributes)).join('') }
  return (props: ComponentProps<'svg'>) =>
    createElement('svg', { ...ATTRIBUTES, ...props, dangerouslySetInnerHTML: inner })
}

const shapeHtml = (tag: string, { key: _key, ...attributes }: Record<string, string>) =>
  `<${tag}${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')}/>`
