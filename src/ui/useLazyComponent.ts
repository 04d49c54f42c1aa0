import { type ComponentType, createElement, useEffect, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { useIsStored } from '#src/lib/storedStore.ts'
import { toast } from './Toast.tsx'

/** Loads a component when it is needed. Returns null until the component is loaded. */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  needed: boolean,
  onFail: () => void = () => {},
) {
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads only when it becomes needed
  useEffect(() => {
    if (!needed || loaded) return
    load().then((component) => setLoaded(() => component), onFail)
  }, [needed])

  return loaded
}

/** Returns a component that loads its code only in browsers with an entry under `key`, and shows nothing in others. */
export const createStoredPart =
  <Props extends object>(key: string, load: () => Promise<ComponentType<Props>>) =>
  (props: Props) => {
    const Part = useLazyComponent(load, useIsStored(key))
    return Part && createElement(Part, props)
  }

/** Loads code that a click needs. If this fails, shows a toast and returns null. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load()
  } catch (error) {
    console.warn('Cannot load a part of the page. Check the connection and reload.', error)
    toast(t('ui.couldNotLoad'))
    return null
  }
}
