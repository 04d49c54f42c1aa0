/** What comes in time. @throws Error when it does not, though it goes on */
export function within<T>(milliseconds: number, coming: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It took too long')), milliseconds)
    coming.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
