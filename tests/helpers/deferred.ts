/** A promise with the functions that settle it. */
export type Deferred<Value> = {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (error: Error) => void
}

/** Replaces `Promise.withResolvers`, which Node 20 lacks. */
export function createDeferred<Value = void>(): Deferred<Value> {
  const deferred = {} as Deferred<Value>
  deferred.promise = new Promise<Value>((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
