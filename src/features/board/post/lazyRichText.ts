import { type ComponentType, lazy } from 'react'
import { whenIdle } from '#src/lib/whenIdle.ts'
import type { PostTextProps } from './postPhrase.tsx'

export const loadRichText = async () => (await import('./RichText.tsx')).RichText

/**
 * Renders code and spoilers. When the page is idle, the browser loads it for posts that have some. Until then, or if it
 * cannot be loaded, the page keeps what the server rendered.
 */
export let RichText: ComponentType<PostTextProps> = lazy(async () => {
  await new Promise<void>((resolve) => whenIdle(resolve))
  try {
    return { default: await loadRichText() }
  } catch {
    return new Promise<never>(() => {})
  }
})

/** Sets the component on the server, which cannot wait for code while it renders. */
export function setRichText(component: typeof RichText): void {
  RichText = component
}
