import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A reading by the values of its labels, or one number. */
export type Reading = number | { labels: Record<string, string>; value: number }[]
export type Readings = Record<string, Reading>

type Kind = 'gauge' | 'counter'
/** A number somebody else keeps: its name, what it tells, the names of its labels. */
export type Described = { kind: Kind; name: string; help: string; labels?: readonly string[] }

/** Of the process, not of one site in it: the event loop, memory, garbage collection. Made once. */
let processRegistry: Registry | undefined

/**
 * The numbers of one site in Prometheus' format. What the parts of the site count anyway is read when somebody looks:
 * nothing is added up twice. To show one more number, describe it in `plugins/metrics.ts` and read it there.
 */
export function createMetrics(described: Described[], read: () => Promise<Readings>) {
  processRegistry ??= ofProcess()
  const registry = new Registry()
  for (const { kind, name, help, labels = [] } of described) {
    const Metric = kind === 'gauge' ? Gauge : Counter
    registry.registerMetric(new Metric({ name, help, labelNames: [...labels], registers: [] }))
  }
  const requests = new Histogram({
    name: 'site_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by pattern of the route; streams without end and pages from memory left out',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'site_http_errors_total',
    help: 'Answers that refuse or fail, by status: 429 are those of the limits',
    labelNames: ['status'],
    registers: [registry],
  })

  return {
    /** @param route pattern of the route, never an address */
    countAnswer(method: string, route: string, status: number, seconds: number): void {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
      if (status >= 400) refused.inc({ status: String(status) })
    },

    contentType: registry.contentType,

    async text(): Promise<string> {
      const readings = await read()
      for (const { name } of described) show(registry.getSingleMetric(name) as Gauge | Counter, readings[name])
      return Registry.merge([processRegistry as Registry, registry]).metrics()
    },
  }
}

function show(metric: Gauge | Counter, reading: Reading | undefined): void {
  metric.reset()
  // Where there is no reading it must not look like nothing: a number without labels would be 0.
  if (reading === undefined) metric.remove({})
  const values = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? [])
  for (const { labels, value } of values) metric.inc(labels, value)
}

function ofProcess(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}
