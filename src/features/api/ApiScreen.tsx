import { Braces } from 'lucide-react'
import type { ApiReference, ApiType } from '#src/contract/apiReference.ts'
import { t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { ApiCallPanel } from './ApiCallPanel.tsx'
import { ApiFields, Prose, TypeText } from './ApiFields.tsx'
import styles from './ApiScreen.module.css'

const RULES = [
  'Answers are `{"success": true, …}` or `{"success": false, "error": "…"}` with a matching status. Any call can be ' +
    'refused with `400` (invalid input), `429` (too many requests; `Retry-After` says when to try again) or `503` (too ' +
    'busy), and calls with a body also with `408`, `413` or `415`.',
  'Programs may use all calls. Pages of other sites may read: calls with `GET` below `/api` allow every origin, and writes ' +
    'refuse foreign ones. The login returns the bearer token.',
]

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-')

/** Shows all documented calls by group, and the types that they share. */
export function ApiScreen({ groups, types }: ApiReference) {
  const names = new Set(types.map(({ name }) => name))
  return (
    <div className="wrap">
      <PageHeader
        title={t('site.apiTitle')}
        lead={t('site.apiLead')}
        action={
          <ButtonLink href="/api/openapi.json" type="application/json" target="_blank" rel="noopener">
            <Braces className="icon" />
            {t('site.apiDocument')}
            <span className="visually-hidden">{` ${t('ui.newTab')}`}</span>
          </ButtonLink>
        }
      />
      {/* The documentation is English in every language. */}
      <div lang="en">
        <div className={`stack quiet ${styles.rules}`}>
          {RULES.map((text) => (
            <p key={text}>
              <Prose text={text} />
            </p>
          ))}
        </div>
        <nav className={`cluster ${styles.contents}`} aria-label="Contents">
          {groups.map(({ name, calls }) => (
            <Tag key={name} href={`#${anchor(name)}`}>
              {name} {calls.length}
            </Tag>
          ))}
          <Tag href="#types">Types {types.length}</Tag>
        </nav>
        {groups.map(({ name, calls }) => (
          <section key={name} className={styles.group} aria-labelledby={anchor(name)}>
            <h2 id={anchor(name)}>{name}</h2>
            <div className={`ruled ${styles.list}`}>
              {calls.map((call) => (
                <ApiCallPanel key={call.id} call={call} types={names} />
              ))}
            </div>
          </section>
        ))}
        <section className={styles.group} aria-labelledby="types">
          <h2 id="types">Types</h2>
          <div className={`ruled ${styles.list}`}>
            {types.map((type) => (
              <TypePanel key={type.name} type={type} types={names} />
            ))}
          </div>
        </section>
      </div>
    </div>
  )
}

function TypePanel({ type: { name, description, fields, type }, types }: { type: ApiType; types: Set<string> }) {
  return (
    <div className={styles.type} id={`type-${name}`}>
      <h3 className={styles.typeName}>{name}</h3>
      {description && <p className="hint">{description}</p>}
      {type && (
        <p>
          <TypeText type={type} types={types} />
        </p>
      )}
      <ApiFields fields={fields} types={types} />
    </div>
  )
}
