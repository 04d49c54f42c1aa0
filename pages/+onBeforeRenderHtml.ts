export { fetchParts as default } from '#src/ui/later.tsx'
