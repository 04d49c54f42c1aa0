/** Runs in the page. Returns whether React has hydrated the page and the player, so that buttons work. */
export function isHydrated(): boolean {
  const player = [...document.querySelectorAll('section.console')].at(-1)
  const parts = [document.querySelector('main > *'), player?.firstElementChild]
  return (
    !document.querySelector('main') ||
    parts.every((part) => part && Object.keys(part).some((key) => key.startsWith('__reactProps')))
  )
}
