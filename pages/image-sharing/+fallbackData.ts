export default { siteUrl: '', submittedForm: null, idempotencyKey: '' }
