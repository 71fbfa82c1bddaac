# SPDX-License-Identifier: MIT
# Names that would do harm if a page took them for markup.
var"</script><img src=x onerror=alert(1)>"(x) = x + 1
var"<b onmouseover=alert(2)>&amp;&lt;"(x) = x - 1.5
var"<!--"(x) = 2x
var"</script><img src=x onerror=alert(1)>"(1)
var"<b onmouseover=alert(2)>&amp;&lt;"(2)
var"<!--"(3)
