/** Returns a time as refusals give it: DD/MM/YYYY HH:MM in UTC. */
export function formatUtc(at: Date): string {
  const [year, month, day, time] = at.toISOString().slice(0, 16).split(/[-T]/)
  return `${day}/${month}/${year} ${time}`
}
