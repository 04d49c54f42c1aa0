import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Values of a metric by the value of its label. */
type Labelled = Iterable<readonly [label: string | number, value: number]>

/** Describes the metrics of one scrape with their values. */
export type Scrape = {
  /** @param value undefined shows the description alone */
  gauge(name: string, help: string, value: number | undefined, labels?: Record<string, string>): void
  gauges(name: string, help: string, label: string, values: Labelled): void
  counter(name: string, help: string, value: number | undefined): void
  counters(name: string, help: string, label: string, values: Labelled): void
}

/**
 * Process metrics: event loop, memory, garbage collection. Measured from the first scrape on, because a timer of 10 ms
 * measures the event loop. In tests, all sites in the process share them.
 */
let processRegistry: Registry | undefined

/** @param read called for each scrape */
export function createMetrics(read: (scrape: Scrape) => Promise<void>) {
  const registry = new Registry()
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
      const readings = new Registry()
      await read(createScrape(readings))
      return Registry.merge([processRegistry, registry, readings]).metrics()
    },
  }
}

function createScrape(registry: Registry): Scrape {
  const single =
    (Metric: typeof Gauge | typeof Counter): Scrape['gauge'] =>
    (name, help, value, labels = {}) => {
      const metric = new Metric({ name, help, labelNames: Object.keys(labels), registers: [registry] })
      // A metric without labels begins with 0.
      if (value === undefined) metric.remove({})
      else metric.inc(labels, value)
    }
  const byLabel =
    (Metric: typeof Gauge | typeof Counter): Scrape['gauges'] =>
    (name, help, label, values) => {
      const metric = new Metric({ name, help, labelNames: [label], registers: [registry] })
      for (const [key, value] of values) metric.inc({ [label]: String(key) }, value)
    }
  return { gauge: single(Gauge), gauges: byLabel(Gauge), counter: single(Counter), counters: byLabel(Counter) }
}

function createProcessRegistry(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}
