export default 'Programs We Love'
