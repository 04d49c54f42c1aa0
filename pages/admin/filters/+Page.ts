export { FiltersScreen as default } from '#src/features/moderation/FiltersScreen.tsx'
