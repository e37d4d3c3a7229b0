import { look } from '../../../look'

/** The tokens of all pages, and the rules of these. */
export const styles = `
${look}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;background:var(--page);color:var(--text);font:14px/1.5 var(--font);-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
a{color:var(--accent-strong);text-decoration:none}
a:hover,span a{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.form{width:100%;max-width:432px;margin:auto;display:grid;gap:24px;padding:48px 16px}
.sample{display:none}
.brand{display:flex;align-items:center;gap:12px;font-size:20px;font-weight:650;color:var(--text)}
.brand:hover{text-decoration:none}
.brand svg{fill:var(--accent)}
.evidence{fill:var(--mark-line)}
main{display:grid;gap:20px;padding:28px;background:var(--surface);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow-low)}
h1{font-size:24px;line-height:1.25;letter-spacing:-.018em;font-weight:600;text-wrap:balance}
form{display:grid;gap:16px}
.field{display:grid;gap:5px}
.pair{display:grid;gap:16px;grid-template-columns:1fr 1fr}
label{font-weight:500}
.optional,.hint{color:var(--text-soft);font-size:12px;font-weight:400}
input{width:100%;min-height:40px;padding:8px 11px;font:inherit;font-size:16px;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:6px}
input[readonly]{background:var(--sunken)}
input[aria-invalid=true]{border-color:var(--danger)}
.error{color:var(--danger);font-size:13px}
.notice{padding:10px 13px;border-radius:9px;background:var(--danger-soft);color:var(--danger)}
button,.button{display:block;width:100%;min-height:40px;padding:8px 14px;font:inherit;font-weight:550;text-align:center;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:6px;cursor:pointer}
button:hover,.button:hover{background:var(--accent-strong);text-decoration:none}
button.second{color:var(--text);background:var(--surface);border-color:var(--line-strong)}
button.second:hover{background:var(--sunken)}
[hidden]{display:none}
.soft{color:var(--text-soft)}
.aside{display:flex;flex-wrap:wrap;justify-content:space-between;gap:8px 16px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;color:var(--text-soft)}
code{font:13px var(--mono);background:var(--sunken);border:1px solid var(--line);border-radius:5px;padding:1px 5px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
@media (min-width:1000px){body{grid-template-columns:1fr 1fr}.sample{display:grid;align-content:center;gap:18px;padding:64px;border-left:1px solid var(--line);background:var(--sunken)}}
.quote{max-width:17em;font:32px/1.5 Georgia,"Times New Roman",serif;letter-spacing:-.01em}
.quote mark{padding:1px 3px;border-radius:4px;background:var(--mark);color:var(--on-mark);box-decoration-break:clone;-webkit-box-decoration-break:clone}
.quote b{display:inline-block;min-width:18px;border-radius:5px;background:var(--mark);color:var(--on-mark);font:600 11px/18px var(--font);text-align:center;vertical-align:4px}
@media (max-width:480px){.form{padding:24px 12px}main{padding:20px}.pair{grid-template-columns:1fr}}
`
