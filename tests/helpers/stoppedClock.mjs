// Stops the clock of a Node process at STOPPED_AT, for tests that compare what the site shows at a fixed time.
// Loaded with `node --import`, also by the process's workers and children.

const stoppedAt = Date.parse(process.env.STOPPED_AT ?? '')

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [stoppedAt] : args, newTarget),
  get: (target, key) => (key === 'now' ? () => stoppedAt : Reflect.get(target, key)),
})
