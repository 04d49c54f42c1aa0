import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** False on the server and during hydration, then true: a button that needs script is disabled until then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Calls `onChange` at hydration if the visitor has changed the control since the first paint: React keeps the value
 * of such a control, but reports no change. Browsers that restore a form on reload are covered too.
 * @returns the ref of the control
 */
export function useEarlyChange<C extends Control>(onChange: ((event: { target: C }) => void) | undefined) {
  const control: RefObject<C | null> = useRef(null)
  const isHydrated = useHydrated()

  // A layout effect runs before any other render: React would write its own value into the control there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first commit can be a hydration
  useLayoutEffect(() => {
    const target = control.current
    if (!isHydrated && target && isChanged(target)) onChange?.({ target })
  }, [])

  return control
}

/** Compares a control with what the server rendered. A radio that lost its check is reported by the one that got it. */
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
