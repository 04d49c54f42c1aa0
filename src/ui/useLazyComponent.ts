import { type ComponentType, useEffect, useState } from 'react'

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
