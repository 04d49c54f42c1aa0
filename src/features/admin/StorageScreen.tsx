import { operationMessages, type Storage } from '#src/contract/operations.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { Section } from './Section.tsx'
import { StoredKinds } from './StoredKinds.tsx'
import styles from './screens.module.css'

export function StorageScreen() {
  const query = usePrivateQuery(['storage'], (client) => client.site.operations.storage.query())
  return (
    <QueryResult query={query} failed={operationMessages.storage}>
      {(storage) => (
        <div className={styles.screen}>
          <Section title="Quotas">
            <StoredKinds stored={storage.stored} />
          </Section>
          <Section title="Disk">
            <Facts facts={diskFacts(storage)} />
          </Section>
        </div>
      )}
    </QueryResult>
  )
}

const diskFacts = ({ files, databaseBytes, freeDiskBytes }: Storage): Fact[] => [
  ['Files', `${files.count}, ${formatBytes(files.bytes)}`],
  ['Database', formatBytes(databaseBytes)],
  ['Free disk', freeDiskBytes === null ? 'unknown' : formatBytes(freeDiskBytes)],
]
