export function createDeferred() {
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  promise.catch(() => {})
  return {
    promise,
    isDone: false,
    resolve() {
      this.isDone = true
      settle?.resolve()
    },
    reject: (error: Error) => settle?.reject(error),
  }
}
