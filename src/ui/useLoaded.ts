import { type ComponentType, useEffect, useState } from 'react'

/** A component that is fetched when it is first wanted; null until then, and when it cannot be had. */
export function useLoaded<Props>(
  load: () => Promise<ComponentType<Props>>,
  wanted: boolean,
  onFail: () => void = () => {},
) {
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is fetched when it is wanted
  useEffect(() => {
    if (!wanted || loaded) return
    load().then((component) => setLoaded(() => component), onFail)
  }, [wanted])

  return loaded
}
