const WORKER = '/service-worker.js'

/** Some browsers refuse workers, for example in private windows. The development server does not build the worker. */
export function registerServiceWorker(): void {
  if (import.meta.env.PROD) void navigator.serviceWorker?.register(WORKER).catch(() => {})
}
