import { pageTransition } from '#src/lib/pageTransition.ts'
import { endNavigation } from '#src/lib/slowNavigation.ts'

export default function onPageTransitionEnd(): void {
  endNavigation()
  pageTransition.end?.()
}
