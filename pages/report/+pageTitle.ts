export default 'Report abuse'
