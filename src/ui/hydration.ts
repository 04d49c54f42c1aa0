import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** Returns false on the server and during hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

/** Returns the origin in the visitor's address bar after hydration, because a site can have several origins. */
export const useVisitorOrigin = (siteUrl: string): string => (useHydrated() ? location.origin : siteUrl)

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Calls `onChange` if the visitor or a reload changed the control before hydration. React keeps such a value, but does
 * not report the change.
 * @returns the ref of the control
 */
export function useEarlyChange<C extends Control>(onChange: ((event: { target: C }) => void) | undefined) {
  const control: RefObject<C | null> = useRef(null)
  const isHydrated = useHydrated()

  // Uses a layout effect, because the next render overwrites the value.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first commit can be a hydration
  useLayoutEffect(() => {
    const target = control.current
    if (!isHydrated && target && isChanged(target)) onChange?.({ target })
  }, [])

  return control
}

/** Ignores unchecked radio buttons, because the checked radio button reports the change. */
function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
  }
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  switch (control.type) {
    case 'radio':
      return control.checked && !control.defaultChecked
    case 'checkbox':
      return control.checked !== control.defaultChecked
    case 'file':
      return control.files?.length !== 0
    default:
      return control.value !== control.defaultValue
  }
}
