import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Reading = number | { labels: Record<string, string>; value: number }[]
export type Readings = Record<string, Reading>

type Kind = 'gauge' | 'counter'
export type MetricDescription = { kind: Kind; name: string; help: string; labels?: readonly string[] }

/**
 * Process metrics: event loop, memory, garbage collection. Measured from the first scrape on, because a timer of 10 ms
 * measures the event loop. In tests, all sites in the process share them.
 */
let processRegistry: Registry | undefined

/** @param read returns the current values by metric name; called for each scrape */
export function createMetrics(described: MetricDescription[], read: () => Promise<Readings>) {
  const registry = new Registry()
  for (const { kind, name, help, labels = [] } of described) {
    const Metric = kind === 'gauge' ? Gauge : Counter
    registry.registerMetric(new Metric({ name, help, labelNames: [...labels], registers: [] }))
  }
  const requests = new Histogram({
    name: 'site_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by route; without endless streams and cached pages',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const refused = new Counter({
    name: 'site_http_errors_total',
    help: 'Error responses by status; 429 comes from rate limits',
    labelNames: ['status'],
    registers: [registry],
  })

  return {
    /** @param route the route pattern, never a URL */
    countResponse(method: string, route: string, status: number, seconds: number): void {
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
      if (status >= 400) refused.inc({ status: String(status) })
    },

    contentType: registry.contentType,

    async text(): Promise<string> {
      processRegistry ??= createProcessRegistry()
      const readings = await read()
      for (const { name } of described) setValues(registry.getSingleMetric(name) as Gauge | Counter, readings[name])
      return Registry.merge([processRegistry, registry]).metrics()
    },
  }
}

function setValues(metric: Gauge | Counter, reading: Reading | undefined): void {
  metric.reset()
  // Remove a missing value: after `reset`, a metric without labels would show 0.
  if (reading === undefined) metric.remove({})
  const values = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? [])
  for (const { labels, value } of values) metric.inc(labels, value)
}

function createProcessRegistry(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}
