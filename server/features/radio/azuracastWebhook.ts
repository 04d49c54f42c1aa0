export const AZURACAST_WEBHOOK_PATH = '/api/radio/webhooks/azuracast'
