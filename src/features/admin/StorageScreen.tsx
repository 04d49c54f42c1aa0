import { type Backups, operationMessages, type Storage } from '#src/contract/operations.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { formatSeconds } from './formatSeconds.ts'
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
          <Section title="Backups">
            <Facts facts={backupFacts(storage.backups)} />
            {storage.backups.error && <Alert>{storage.backups.error}</Alert>}
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

function backupFacts({ everySeconds, keep, count, bytes, last, error }: Backups): Fact[] {
  const newest: Fact[] = last
    ? [
        ['Last backup', <RelativeTime key="last" date={last.at} />],
        ['Size', `${formatBytes(last.bytes)}, verified`],
      ]
    : [['Last backup', 'none yet']]
  if (everySeconds === null) return [['Schedule', 'off: set BACKUP_EVERY'], ...(last ? newest : [])]
  // The folder may be unreadable: then nothing is known of its backups.
  if (error !== null && last === null) return [['Schedule', `every ${formatSeconds(everySeconds)}`]]
  return [
    ['Schedule', `every ${formatSeconds(everySeconds)}`],
    ...newest,
    ['Stored', `${count} of ${keep}, ${formatBytes(bytes)}`],
  ]
}
