import type { WidgetOptions } from '../options'

const dark = `--surface:#16202a;--raised:#1d2933;--sunken:#0f1820;--line:#2b3844;--line-strong:#70818d;--text:#ecf1f4;--text-soft:#a4b1bb;--soft:#1c3440;--strong:#7cd3ee;--mark:#5c4f14;--mark-line:#e9c63f;--on-mark:#fffbe8;--danger:#ff9c94;--danger-soft:#4a2320`

/** The panel's rules. They are set as a constructed style sheet, which needs no permission of the page's policy. */
export function panelStyle({ mode, position, theme }: WidgetOptions): string {
  const place =
    mode === 'inline'
      ? 'position:relative;width:100%;height:600px'
      : `position:fixed;z-index:2147483000;${position}:20px;top:24px;bottom:88px;margin-top:auto;width:392px;max-width:calc(100% - 40px);max-height:640px`
  return `.panel{--surface:#fff;--raised:#fff;--sunken:#f2f1ed;--line:#e1dfd8;--line-strong:#858d90;--text:#142126;--text-soft:#4f5b60;--soft:#def1f5;--strong:#00566e;--mark:#ffe97f;--mark-line:#d79b00;--on-mark:#142126;--danger:#b3261e;--danger-soft:#fdecea;${place};box-sizing:border-box;display:flex;flex-direction:column;overflow:hidden;border:1px solid var(--line);border-radius:20px;background:var(--surface);color:var(--text);font:14px/1.5 system-ui,"Segoe UI",Roboto,Arial,sans-serif;text-align:start;box-shadow:0 12px 32px -8px #0004,0 2px 6px #0002}
.empty{background-image:linear-gradient(color-mix(in oklab,var(--accent) 18%,var(--surface)),var(--surface) 62%)}
${theme === 'dark' ? `.panel{${dark}}` : theme === 'auto' ? `@media(prefers-color-scheme:dark){.panel{${dark}}}` : ''}
[hidden]{display:none!important}
*,*::before{box-sizing:border-box}
button,input,textarea{font:inherit;color:inherit}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--strong);outline-offset:2px}
header{display:flex;gap:10px;align-items:center;padding:12px 10px 10px 16px}
header div{flex:1;min-width:0}
h2{margin:0;font-size:15px;font-weight:600;line-height:1.3;overflow-wrap:anywhere}
h3{margin:8px 0 4px;font-size:14px}
small{display:block;font-size:12px;color:var(--text-soft)}
.logo{display:grid;flex:none;place-items:center;width:32px;height:32px;overflow:hidden;border-radius:10px;background:var(--accent);color:var(--on-accent);font-weight:600}
.logo:has(img){background:none}
.logo img{width:100%;height:100%;object-fit:contain}
.icon{width:32px;height:32px;padding:0;border:0;border-radius:8px;background:none;color:var(--text-soft);font-size:16px}
.icon:hover,.tools button:hover{background:var(--sunken);color:var(--text)}
.tabs{display:flex;gap:4px;margin:0 16px 10px;padding:3px;border-radius:9px;background:var(--sunken)}
.empty .tabs{background:color-mix(in oklab,var(--accent) 10%,transparent)}
.tabs button{flex:1;padding:4px;border:0;border-radius:7px;background:none;color:var(--text-soft);font-weight:500}
.empty .tabs button{color:var(--text)}
.tabs [aria-selected=true]{background:var(--raised);color:var(--text);box-shadow:0 1px 2px #0003}
.log{flex:1;min-height:0;overflow:auto;padding:14px 16px;display:flex;flex-direction:column;gap:14px;border-top:1px solid var(--line);overflow-wrap:anywhere}
.empty .log{border-color:transparent}
.greeting{display:flex;flex:1;flex-direction:column;padding-top:8px}
.greeting .logo{width:52px;height:52px;margin-top:56px;border-radius:15px;font-size:22px}
.greeting h2{margin:14px 0 4px;font-size:26px;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
.greeting p{margin:0;color:var(--text-soft)}
.greeting .chips{margin-top:auto;padding-top:16px}
.retry{align-self:flex-start}
.me{align-self:flex-end;max-width:86%;padding:8px 14px;border-radius:16px;border-end-end-radius:4px;background:var(--accent);color:var(--on-accent);white-space:pre-wrap}
.it{max-width:100%;line-height:1.6}
.it p{margin:0 0 8px;white-space:pre-line}
.it ul,.it ol{margin:0 0 8px;padding-inline-start:20px}
.it a{color:var(--strong)}
code{font:13px ui-monospace,Menlo,monospace}
.it :not(pre)>code{padding:1px 4px;border-radius:4px;background:var(--sunken)}
pre{margin:0 0 8px;padding:10px 12px;overflow:auto;border-radius:0 0 10px 10px;background:var(--sunken)}
button:has(+pre){display:block;width:100%;padding:6px 12px 0;border:0;border-radius:10px 10px 0 0;background:var(--sunken);color:var(--text-soft);font-size:12px;text-align:end}
.table{margin:0 0 8px;overflow:auto}
table{border-collapse:collapse;font-size:13px}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--text-soft);font-weight:500}
.cite{display:inline-block;min-width:18px;padding:0 4px;border-radius:5px;background:var(--soft);color:var(--strong);font-size:11px;font-weight:600;line-height:17px;text-align:center;text-decoration:none;vertical-align:1px}
mark{padding:1px 2px;border-radius:3px;background:var(--mark);color:var(--on-mark)}
.it .sources{margin:12px 0 0;padding:0;border:1px solid var(--line);border-radius:12px;list-style:none}
.sources a{display:block;padding:8px 12px;color:var(--text);font-size:13px;text-decoration:none}
.sources li+li a{border-top:1px solid var(--line)}
.head{display:flex;gap:6px;align-items:center}
b{font-weight:500}
.sources small{margin-inline-start:24px}
.sources .passage{display:block;margin:4px 0 0 24px;padding-inline-start:8px;overflow:hidden;border-inline-start:2px solid var(--mark-line);color:var(--text-soft);text-overflow:ellipsis;white-space:nowrap}
i{display:inline-grid;flex:none;place-items:center;width:18px;height:18px;border-radius:5px;background:var(--text);color:var(--surface);font-size:10px;font-style:normal;font-weight:600}
i:has(img){background:none}
i img{width:18px;height:18px;border-radius:5px}
.sources a:hover b,.results a:hover b{text-decoration:underline}
.results{margin:0;padding:0;list-style:none}
.results a{display:block;padding:12px 0;color:var(--text);text-decoration:none}
.results li+li{border-top:1px solid var(--line)}
.results small{display:flex;gap:6px;align-items:center}
.results b{display:block;margin:3px 0}
.results .passage{color:var(--text-soft);font-size:13px}
.tools{display:flex;flex-wrap:wrap;gap:2px;margin:6px 0 0 -8px}
.tools button{padding:4px 8px;border:0;border-radius:7px;background:none;color:var(--text-soft);font-size:13px}
.tools [aria-pressed=true]{color:var(--strong);font-weight:600}
.tools input{flex:1;min-width:140px}
.failed{margin-top:8px;padding:10px 12px;border-inline-start:3px solid var(--danger);border-start-end-radius:10px;border-end-end-radius:10px;background:var(--danger-soft)}
.chips{display:grid;gap:6px;margin:12px 0 0;padding:0;list-style:none}
.next{margin:0}
.chips button{display:flex;gap:8px;justify-content:space-between;width:100%;padding:8px 12px;border:1px solid var(--line);border-radius:10px;background:var(--raised);color:var(--text);font-weight:500;text-align:start}
.chips button::after{content:"→"/"";color:var(--text-soft)}
[dir=rtl] .chips button::after{content:"←"/""}
.chips button:hover,.contact:hover,.retry:hover{border-color:var(--line-strong);background:var(--sunken)}
.contact,.retry{padding:6px 12px;border:1px solid var(--line-strong);border-radius:9px;background:var(--raised);color:var(--text);font-size:13px;text-decoration:none}
.line{display:flex;gap:4px;align-items:flex-end;margin:8px 12px 14px;padding:4px 4px 4px 12px;border:1px solid var(--line-strong);border-radius:14px;background:var(--surface)}
.line:focus-within{outline:2px solid var(--strong);outline-offset:1px}
textarea,input{flex:1;min-width:0;padding:7px 0;border:0;background:none;font-size:16px;line-height:1.4;resize:none}
textarea{max-height:120px;field-sizing:content}
.line :is(textarea,input):focus{outline:0}
textarea::placeholder{color:var(--text-soft)}
.tools input{padding:5px 10px;border:1px solid var(--line-strong);border-radius:9px}
.line button{flex:none;width:36px;height:36px;padding:0;border:0;border-radius:10px;background:var(--accent);color:var(--on-accent);font-size:18px}
.note{color:var(--text-soft)}
@media(max-width:480px){.panel{${mode === 'inline' ? '' : 'inset:0;width:auto;max-width:none;max-height:none;margin:0;border:0;border-radius:0'}}.panel:not([hidden])~.bubble{display:none}}
@media(prefers-reduced-motion:no-preference){.me,.it,.chips,.sources{animation:arrive .14s cubic-bezier(.2,.7,.3,1)}.wait{animation:wait 1.2s infinite alternate}@keyframes arrive{from{opacity:0;transform:translateY(4px)}}@keyframes wait{to{opacity:.75}}}`
}
