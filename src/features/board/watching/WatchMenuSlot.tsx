import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { useIsWatching } from './watchMark.ts'

const importMenu = async () => (await import('./WatchMenu.tsx')).WatchMenu

/** The menu of watched threads and replies, in the top bar. Only visitors who have watched a thread or posted load it. */
export function WatchMenuSlot() {
  const Menu = useLazyComponent(importMenu, useIsWatching())
  return Menu && <Menu />
}
