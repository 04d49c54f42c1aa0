/** Returns null after an error or the timeout. The server already logs the error. */
export const readOrNull = <T>(reading: Promise<T>, timeoutMs: number) =>
  new Promise<T | null>((resolve) => {
    setTimeout(resolve, timeoutMs, null).unref()
    reading.then(resolve, () => resolve(null))
  })
