import { endNavigation, pageTransition } from '#src/lib/slowNavigation.ts'

export default function onPageTransitionEnd(): void {
  endNavigation()
  pageTransition.end?.()
}
