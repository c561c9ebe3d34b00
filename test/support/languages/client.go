// Sends each case by net/http, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep.
package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func main() {
	size, _ := strconv.Atoi(os.Args[1])
	body := bytes.Repeat([]byte("x"), size)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for _, one := range os.Args[2:] {
		of := strings.Split(one, "|")
		request, _ := http.NewRequest("POST", of[0], bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		if of[1] != "" {
			request.Header.Set("Authorization", of[1])
		}
		if of[2] != "" {
			request.Header.Set("Content-Encoding", of[2])
		}
		request.Close = of[3] == "close"
		answer, err := client.Do(request)
		if err != nil {
			fmt.Println(err)
			continue
		}
		answer.Body.Close()
		fmt.Println(answer.StatusCode)
	}
}
