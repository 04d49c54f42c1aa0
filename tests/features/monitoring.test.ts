import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parser } from '@prometheus-io/lezer-promql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startSite, type TestSite } from '#tests/helpers/site.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/monitoring', import.meta.url))
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}
type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const rules: Rule[] = parse(read('alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const dashboard: { title: string; panels: Panel[]; templating: { list: { name: string }[] } } = JSON.parse(
  read('dashboard.json'),
)
/** Grafana's variables, as Prometheus gets them. */
const insertVariables = (expr: string) => expr.replaceAll('$__rate_interval', '2m').replaceAll('$instance', '.*')
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, insertVariables(expr)] as const),
  ),
]

let site: TestSite
/** names of the metrics, with their labels */
const metrics = new Map<string, Set<string>>()

beforeAll(async () => {
  site = await startSite({ BACKUP_EVERY: '24h' })
  const { db } = site.app.services
  await db.execute(`insert into job (name, started_at, ended_at) values ('backup', now(), now())`)
  await site.app.inject({ url: '/no-such-page' })
  const { body } = await site.app.inject({ url: '/metrics', headers: { host: 'localhost' } })
  for (const line of body.split('\n')) {
    const [, type] = /^# TYPE (\S+)/.exec(line) ?? []
    const [, name, labels = ''] = /^([a-z]\w*)(?:\{(.*)\})? /.exec(line) ?? []
    const key = type ?? name
    if (!key) continue
    const known = metrics.get(key) ?? new Set()
    // Prometheus renames a label that its own target label hides.
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label === 'job' ? 'exported_job' : label)
    metrics.set(key, known)
  }
})
afterAll(() => site.close())

/** Labels and metrics that Prometheus adds. */
const TARGET_LABELS = ['instance', 'job', 'le']

test.each(expressions)('%s is a valid query of metrics that the site has', (_name, expr) => {
  const used: string[] = []
  const labels: string[] = []
  const errors: string[] = []
  parser.parse(expr).iterate({
    enter({ name, type, from, to }) {
      const text = expr.slice(from, to)
      if (type.isError) errors.push(`${from}: ${text}`)
      if (name === 'VectorSelector') used.push(/^\w+/.exec(text)?.[0] ?? '')
      if (name === 'LabelName') labels.push(text)
    },
  })
  expect(errors).toEqual([])
  expect(used.length).toBeGreaterThan(0)
  for (const name of used.filter((one) => one !== 'up')) expect([...metrics.keys()]).toContain(name)
  const known = new Set([...TARGET_LABELS, ...used.flatMap((name) => [...(metrics.get(name) ?? [])])])
  // Labels that only appear with a value in operation.
  for (const label of ['station', 'call', 'outcome', 'route', 'method', 'status', 'version']) known.add(label)
  for (const label of labels) expect([...known]).toContain(label)
})

test('alerts have unique names, a severity and a summary', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity)
    expect(annotations.summary).toBeTruthy()
  }
  expect(parse(read('prometheus.yml')).rule_files).toEqual(['alerts.yml'])
})

test('panels of the dashboard have unique ids and do not overlap', () => {
  const { panels, templating } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}/${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance'])
})
