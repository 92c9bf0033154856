export default ({ data }) => {
  window.mlmKeep?.(data.record); }
