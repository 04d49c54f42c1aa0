import { readConfig } from '#server/core/config/config.ts'

const names = new Set<string>()
readConfig(new Proxy<NodeJS.ProcessEnv>({}, { get: (_env, name) => void names.add(String(name)) }))

/** The names of all settings. */
export const settingNames = [...names]
