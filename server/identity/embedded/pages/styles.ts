/** The design tokens and rules of these pages. */
export const styles = `
:root{color-scheme:light dark;--page:oklch(.984 .003 235);--surface:oklch(1 0 0);--sunken:oklch(.962 .005 235);--line:oklch(.905 .008 235);--line-strong:oklch(.8 .012 235);--text:oklch(.25 .025 250);--soft:oklch(.47 .02 245);--accent:oklch(.5 .105 220);--accent-strong:oklch(.43 .1 222);--accent-soft:oklch(.955 .022 215);--on-accent:oklch(.99 .005 215);--danger:oklch(.52 .18 25);--danger-soft:oklch(.96 .025 20);--shadow:0 1px 2px oklch(.3 .03 250/.06)}
@media (prefers-color-scheme:dark){:root{--page:oklch(.185 .014 245);--surface:oklch(.222 .016 245);--sunken:oklch(.165 .013 245);--line:oklch(.305 .018 245);--line-strong:oklch(.42 .02 245);--text:oklch(.945 .008 235);--soft:oklch(.735 .016 238);--accent:oklch(.76 .1 212);--accent-strong:oklch(.83 .085 210);--accent-soft:oklch(.29 .04 220);--on-accent:oklch(.19 .03 235);--danger:oklch(.73 .14 22);--danger-soft:oklch(.29 .06 22);--shadow:none}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:flex;flex-direction:column;align-items:center;gap:24px;padding:48px 16px;background:var(--page);color:var(--text);font:14px/1.5 ui-sans-serif,system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-font-smoothing:antialiased;overflow-wrap:anywhere}
a{color:var(--accent-strong);text-decoration:none}
a:hover,span a{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.brand{display:flex;align-items:center;gap:9px;font-size:18px;font-weight:650;color:var(--text)}
.brand:hover{text-decoration:none}
.brand svg{fill:var(--accent)}
main{width:100%;max-width:400px;display:grid;gap:20px;padding:28px;background:var(--surface);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow)}
h1{font-size:22px;line-height:1.25;letter-spacing:-.01em;font-weight:650;text-wrap:balance}
form{display:grid;gap:16px}
.field{display:grid;gap:5px}
.pair{display:grid;gap:16px;grid-template-columns:1fr 1fr}
label{font-weight:570}
.optional,.hint{color:var(--soft);font-size:12.5px;font-weight:400}
input{width:100%;min-height:40px;padding:8px 11px;font:inherit;font-size:16px;color:inherit;background:var(--surface);border:1px solid var(--line-strong);border-radius:6px}
input[readonly]{background:var(--sunken)}
input[aria-invalid=true]{border-color:var(--danger)}
.error{color:var(--danger);font-size:13px}
.notice{padding:10px 13px;border-radius:9px;background:var(--danger-soft);color:var(--danger)}
button,.button{display:block;width:100%;min-height:40px;padding:8px 14px;font:inherit;font-weight:570;text-align:center;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:6px;cursor:pointer}
button:hover,.button:hover{background:var(--accent-strong);text-decoration:none}
.soft{color:var(--soft)}
.aside{display:flex;flex-wrap:wrap;justify-content:space-between;gap:8px 16px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
code{font:13px ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono",Menlo,monospace;background:var(--sunken);border:1px solid var(--line);border-radius:5px;padding:1px 5px;box-decoration-break:clone;-webkit-box-decoration-break:clone}
@media (max-width:480px){body{padding:24px 12px}main{padding:20px}.pair{grid-template-columns:1fr}}
`
