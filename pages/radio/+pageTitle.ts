export default 'Radio schedule'
